export default { test: { maxConcurrency: 10, maxWorkers: 2 } };
