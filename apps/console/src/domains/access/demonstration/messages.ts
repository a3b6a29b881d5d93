import { defineMessages } from "@weft/contract/kernel/message.ts";

export const demonstrationMessages = defineMessages({
  "demonstration.tag": ["演示", "Demo"],
  "demonstration.title": ["演示环境", "This is the demonstration"],
  "demonstration.what": [
    "站点由真实的边缘程序运行，网络是模拟的；名称和数据均为虚构。可以随意修改，不影响任何真实网络。",
    "Real edge programs run these sites on a simulated network; names and values are fictitious. You may change anything: no real network is affected.",
  ],
  "demonstration.leave": ["离开演示环境", "Leave the demonstration"],
  "demonstration.leaveTitle": ["离开演示环境？", "Leave the demonstration?"],
  "demonstration.leaveBody": [
    "控制器以空的安装重新开始：没有企业、POP 和 CPE。所有人需重新登录，admin 的密码保持不变。演示环境的数据保留在磁盘上。",
    "The controller restarts with an empty installation: no enterprises, POPs or CPEs. Everyone must log in again; the password of admin does not change. The data of the demonstration is kept on the disk.",
  ],
  "demonstration.onlyAdmin": [
    "只有首个管理员 admin 可以离开演示环境",
    "Only the first administrator, admin, can leave it",
  ],
  "demonstration.leaving": ["正在切换到空的安装…", "Switching to the empty installation…"],
});
