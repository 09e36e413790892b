const { simulated } = require("centavo/testing");

const started = Promise.withResolvers();
const refused = Promise.withResolvers();
let poller;

const poll = () => fetch("https://api.pay.example/api/transactions").catch((error) => refused.resolve(error));

/** Leaves a poller behind, which swallows its errors. */
exports.leavesAPoller = simulated({ name: "a shop that polls" }, async () => {
  const begin = async () => {
    await started.promise;
    poller = setInterval(() => void poll(), 1);
  };
  void begin();
});

exports.comesAfterIt = async () => {
  started.resolve();
  await refused.promise;
  clearInterval(poller);
  await new Promise((resolve) => setImmediate(resolve));
};
