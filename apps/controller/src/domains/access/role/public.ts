export {
  callerPermissions,
  exceedingRoles,
  exceedingUsers,
  refuseStronger,
  requireAssignable,
} from "./powers.ts";
export { firstUser } from "./rules.ts";
