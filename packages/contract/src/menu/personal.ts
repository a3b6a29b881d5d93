import { defineMenu, group, hidden, page } from "./node.ts";

/** Personal centre (section 2.3). */
export const personalMenu = group(
  "/personalcenter",
  ["个人中心", "Personal centre"],
  { icon: "person" },
  [
    page("/personalcenter/stationmessage", ["站内消息", "Station messages"], "StationMessage", {
      icon: "message",
    }),
    page(
      "/personalcenter/messageremanage",
      ["消息接收管理", "Message receive management"],
      "MessageReceiveManage",
      { icon: "receiver" },
    ),
    page(
      "/personalcenter/paramconfig",
      ["企业参数配置", "Enterprise parameter config"],
      "ParamConfig",
      { icon: "parameter" },
    ),
  ],
);

/** The own account, reached from notices; in no menu (section 2.1). */
export const ownMenu = defineMenu([
  hidden("/user/info", ["个人资料", "Profile"], "UserInfo"),
  hidden("/user/message", ["站内消息", "Station messages"], "StationMessage"),
]);
