export { ApiError, fieldErrors, invalidField } from "../http/errors.ts";
export type { ErrorCode } from "../http/errors.ts";
