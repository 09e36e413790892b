import { ServiceError } from "centavo/client";

/** Tries again while the answer does not say that another try is useless. */
export const patiently = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let triesLeft = 3; ; triesLeft -= 1) {
    try {
      return await work();
    } catch (error) {
      const status = error instanceof ServiceError ? error.status : 500;
      const isFinal = error instanceof ServiceError && error.code !== undefined && status < 500 && status !== 401;
      if (triesLeft === 0 || (isFinal && error.code !== "IDEMPOTENCY_KEY_IN_USE" && status !== 429)) throw error;
    }
  }
};

/** Does what a customer asks for, and returns where the customer goes next. The service may say that in an error. */
export const leading = async (work: () => Promise<object>): Promise<string | undefined> =>
  patiently(work).then(
    (result) => (result as { readonly redirectUrl?: string }).redirectUrl,
    (error: unknown) => {
      if (error instanceof ServiceError && error.code !== undefined && error.status < 500) return error.redirectUrl;
      throw error;
    },
  );

/** Leaves what failed for the next run of a job, so that it stops nothing else. */
export const later = (): undefined => undefined;
