import { en } from "zod/locales";

/**
 * For every `safeParse` whose messages people read. `zod/mini` comes without messages, and those of the process can be in any language.
 */
export const inEnglish = { error: en().localeError };
