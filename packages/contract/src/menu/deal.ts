import { group, page } from "./node.ts";

/** Transactions (section 2.3). */
export const dealMenu = group("/dealmanage", ["交易管理", "Transactions"], { icon: "deal" }, [
  page("/dealmanage/dealrecord", ["交易记录", "Transaction records"], "DealRecord", {
    icon: "deal",
  }),
  page("/dealmanage/rechargerecord", ["充值记录", "Recharge records"], "RechargeRecord", {
    icon: "recharge",
  }),
]);
