export default { test: { maxConcurrency: 10, maxWorkers: 2, testTimeout: 60_000 } };
