/** Tells the processes of a run which hosts its reporter allows, as a list in JSON. */
export const ALLOWED_VARIABLE = "CENTAVO_ALLOWED_HOSTS";
