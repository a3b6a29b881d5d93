/** 0 the controller chooses the POPs; 1 those of a POP strategy. */
export const strategyTypes = [0, 1] as const;
export type StrategyType = (typeof strategyTypes)[number];

/** Specification section 4; null: unset. */
export const businessTypes = ["network", "speed", "all"] as const;
export type BusinessType = (typeof businessTypes)[number];

/** 0 waiting, 1 approved, 2 rejected. */
export const auditStatuses = [0, 1, 2] as const;
export const auditStatus = { waiting: 0, approved: 1, rejected: 2 } as const;

/** What a posting is: money in, services paid, money back, a balance brought to another book. */
export const postingKinds = [1, 2, 3, 4] as const;
export type PostingKind = (typeof postingKinds)[number];
export const postingKind = { recharge: 1, charge: 2, refund: 3, carried: 4 } as const;
/** Kinds that the transaction records show; recharges have records of their own. */
export const dealTypes = [2, 3, 4] as const;

/** Installations of the specification (section 9) that are called by their names. */
export const specialSystems: readonly string[] = ["xspeeder", "sftel", "xiaolong", "jiuxi"];
