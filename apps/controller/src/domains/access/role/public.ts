export {
  callerPowers,
  exceedingRoles,
  exceedingUsers,
  refuseStronger,
  requireAssignable,
} from "./powers.ts";
export type { Powers } from "./rules.ts";
