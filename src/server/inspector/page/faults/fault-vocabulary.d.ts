declare module "virtual:fault-vocabulary" {
  /** Every kind of fault, in the order of the reference. The build takes them from the declarations and their texts. */
  export const sections: readonly import("./vocabulary.ts").FaultSection[];
  /** The fields of every fault that say how often and when it strikes. */
  export const recurrence: readonly import("./vocabulary.ts").FaultField[];
}
