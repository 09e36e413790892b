export { openApiDocument } from "./simulator/openapi-document.ts";
export type { OpenApiDocument } from "./simulator/openapi-document.ts";
