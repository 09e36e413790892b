/** The folder of the documents, as a path from the user's project: the package has them, and they are right for its version. */
export const DOCS = "node_modules/centavo/docs";
