export { callerPowers, exceedingUsers, refuseStronger, requireAssignable } from "./powers.ts";
export { FIRST_USER, type Powers } from "./rules.ts";
