import { shopThatKeepsItsToken } from "../a-shop-that-lives-on.ts";

export const shop = shopThatKeepsItsToken();
/** How many files have used the shop. */
export const use = { files: 0 };
