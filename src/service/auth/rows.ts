import * as z from "zod/mini";
import { moment, shapeOf, anyText } from "../../kit/engine/row-schema.ts";

/** An access token in a row, under its text. */
export interface AccessToken {
  readonly merchantId: string;
  /** Milliseconds since 1970. At this instant the token has expired (`time.boundaries`). */
  readonly expiresAt: number;
}

/** A refresh token in a row, under its text. */
export interface RefreshToken {
  readonly merchantId: string;
  readonly family: string;
  readonly expiresAt: number;
  readonly used: boolean;
}

export const storedAccessToken = shapeOf<AccessToken>()(() => ({ merchantId: anyText, expiresAt: moment }));
export const storedRefreshToken = shapeOf<RefreshToken>()(() => ({
  merchantId: anyText,
  family: anyText,
  expiresAt: moment,
  used: z.boolean(),
}));
