module.exports = require("centavo/shake");
