export {
  callerPowers,
  exceedingRoles,
  exceedingUsers,
  refuseStronger,
  requireAssignable,
} from "./powers.ts";
export { firstUser, type Powers } from "./rules.ts";
