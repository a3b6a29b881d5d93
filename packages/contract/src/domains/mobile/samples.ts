import type { SamplesOf } from "#contract/samples/sample.ts";
import type { resources } from "./domain.ts";

/** Drafts of each resource of this domain. */
export const samples: SamplesOf<typeof resources> = {
  account: {
    valid: ({ groupid, popId }) => ({
      groupid,
      popId,
      loginName: "zhangwei@",
      alias: "张伟-手机",
      terminalType: 6,
      enable: true,
      txbps: 10_000_000,
      rxbps: 8_200_000,
      phone: "13800000002",
      email: null,
      expire: new Date("2099-12-31T00:00:00Z"),
      remark: "",
    }),
    edited: (ids) => ({
      ...samples.account.valid(ids),
      alias: "张伟-电脑",
      terminalType: 5,
      txbps: null,
      expire: null,
    }),
    invalid: [
      { field: "loginName", value: "", rule: "required" },
      { field: "loginName", value: "a b", rule: "loginName" },
      { field: "alias", value: "<b>", rule: "name" },
      { field: "terminalType", value: 9, rule: "oneOf" },
      { field: "txbps", value: 63_999, rule: "bandwidth" },
      { field: "expire", value: "soon", rule: "instant" },
    ],
  },
};
