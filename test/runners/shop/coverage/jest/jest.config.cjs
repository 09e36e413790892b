const thresholds = JSON.parse(process.env.THRESHOLDS ?? "{}");
const folder = process.env.FOLDER;

module.exports = { reporters: ["default", ["centavo/jest-reporter", { thresholds, folder }]] };
