import { CentavoError } from "../kit/base/errors/centavo-error.ts";

/** Why no law could judge a merchant fairly. */
export class Unexaminable extends CentavoError {
  constructor(message: string, options?: ErrorOptions) {
    super("INVALID_OPTION", message, options);
  }
}
