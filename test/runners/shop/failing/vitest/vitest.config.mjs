export default { test: { testTimeout: 20_000 } };
