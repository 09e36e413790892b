"use strict";

const { appendFileSync, readFileSync, watch } = require("node:fs");

/** Writes down what a test saw, for the suite that runs the runner. */
exports.note = (name, value) => appendFileSync(process.env.NOTES, `${JSON.stringify([name, value])}\n`);

/** Resolves when a test of another file, which runs at the same time, has noted this. */
exports.noted = async (name) => {
  const isNoted = () => readFileSync(process.env.NOTES, "utf8").includes(`[${JSON.stringify(name)},`);
  await new Promise((resolve) => {
    const watcher = watch(process.env.NOTES, look);
    function look() {
      if (!isNoted()) return;
      watcher.close();
      resolve();
    }
    look();
  });
};
