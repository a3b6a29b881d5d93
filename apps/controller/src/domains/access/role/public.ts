export {
  callerPermissions,
  exceedingRoles,
  exceedingUsers,
  refuseStronger,
  requireAssignable,
} from "./caller-permissions.ts";
export { firstUser } from "./rules.ts";
