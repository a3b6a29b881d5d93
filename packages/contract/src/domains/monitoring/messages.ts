import { defineMessages } from "#kernel/message.ts";

/** Labels of codes and fields that only this domain has, both languages in one line. */
export const messages = defineMessages({
  "enum.attention.cpeOffline": ["站点离线", "Site offline"],
  "enum.attention.popOffline": ["POP 离线", "POP offline"],
  "enum.attention.linkDown": ["链路中断", "Link down"],
  "enum.attention.expired": ["已到期", "Expired"],
  "enum.attention.blocked": ["配置未生效", "Settings not applied"],
  "enum.attention.held": ["配置等待放行", "Settings pending approval"],
  "enum.attention.drift": ["配置漂移", "Drift"],
  "enum.attention.enrolment": ["开局待审批", "Waiting for approval"],
});
