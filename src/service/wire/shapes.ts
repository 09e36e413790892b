import type { Placeholders, Template } from "../../kit/assumptions/template.ts";

/** What the envelope of a success holds (`http.envelope`). */
export const envelopeParts: Placeholders = { required: ["data"] };

/** The envelope of the service document (part 1). */
export const envelopeOfDocument: Template = { success: true, data: "{data}" };

/**
 * What the body of an error can say (`http.error-body`). `errors` are the fields that are wrong; `problems` are these too, or the error
 * itself where no field is at fault. Only `3D_SECURE_REQUIRED` has the optional ones, beside `status`.
 */
export const errorParts: Placeholders = {
  required: ["message|problems.message", "code|problems.code"],
  optional: ["status", "requiresAction", "redirectUrl", "nextAction", "problems.path"],
  lists: { errors: ["path", "message", "code"], problems: ["path", "message", "code"] },
};

/** The body of a validation error in the service document (part 7), with the `code` of the error. */
export const errorBodyOfDocument: Template = {
  success: false,
  message: "{message}",
  code: "{code}",
  errors: [{ path: "{errors.path}", message: "{errors.message}", code: "{errors.code}" }],
  requiresAction: "{requiresAction}",
  redirectUrl: "{redirectUrl}",
  nextAction: "{nextAction}",
};

/** The code of a field that is wrong (part 7). */
export const FIELD_CODE = "validation_error";
