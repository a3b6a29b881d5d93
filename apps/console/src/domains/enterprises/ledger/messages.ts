import { defineMessages } from "@weft/contract/kernel/message.ts";

export const ledgerMessages = defineMessages({
  "ledger.title": ["交易记录", "Transaction records"],
  "ledger.recharges": ["充值记录", "Recharge records"],
  "ledger.time": ["时间", "Time"],
  "ledger.balanceAfter": ["之后余额", "Balance after"],
  "ledger.empty": [
    "这段时间没有扣费、退款或结转。可选择更长的时间范围",
    "No charges, refunds or balances carried over in this range. Select a longer one",
  ],
  "ledger.emptyRecharges": [
    "这段时间没有充值。在企业管理中给企业充值",
    "No recharges in this range. Recharge an enterprise on the page Enterprise management",
  ],
  "ledger.toEnterprises": ["去企业管理", "Go to enterprises"],
});
