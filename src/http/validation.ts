import { z } from "zod";
import { ApiError } from "./errors.ts";
import type { FieldError } from "./errors.ts";
import { AMOUNT_TOO_SMALL } from "./fields.ts";

/**
 * Checks a value against a schema and types it.
 * @throws {ApiError} `VALIDATION_ERROR` listing every offending field with its path
 */
export function validate(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap(fieldErrorsOf);
  const tooSmall = errors.some(({ message }) => message === AMOUNT_TOO_SMALL);
  throw new ApiError("VALIDATION_ERROR", tooSmall ? { message: AMOUNT_TOO_SMALL, errors } : { errors });
}

/** The paths of fields that the schema does not name, which `http.unknown-fields` ignores or refuses. */
export function unknownFields(schema: z.ZodType, value: unknown, prefix = ""): string[] {
  const object = unwrap(schema);
  if (!(object instanceof z.ZodObject) || typeof value !== "object" || value === null) return [];
  const shape = object.shape as Readonly<Record<string, z.ZodType>>;
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return field === undefined ? [prefix + name] : unknownFields(field, inner, `${prefix}${name}.`);
  });
}

export function unknownFieldError(paths: readonly string[]): ApiError {
  return new ApiError("VALIDATION_ERROR", { errors: paths.map((path) => ({ path, message: "is not a field of this request", code: "validation_error" })) });
}

function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap() as z.ZodType) : schema;
}

function fieldErrorsOf(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: path === "" ? key : `${path}.${key}`, message: "is not a field of this request", code: "validation_error" }));
  }
  const message = issue.code === "invalid_type" && issue.input === undefined ? "is required" : issue.message;
  return [{ path, message, code: "validation_error" }];
}
