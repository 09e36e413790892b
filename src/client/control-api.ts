/** Where the control API of a world stands below the world's address. */
export const CONTROL_PATH = "/_centavo/api/v1";

/** The code of the error in place of which a member of a simulator returns undefined. */
export const NO_RESULT = "NO_RESULT";
