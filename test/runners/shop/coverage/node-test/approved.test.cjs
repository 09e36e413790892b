const { test } = require("node:test");
const { pay } = require("../pay.cjs");

test("a payment with pm_card_approved", () => pay(require("centavo"), require("centavo/client"), "pm_card_approved"));
