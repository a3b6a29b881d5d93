import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Texts of commands to a device. */
export const commandMessages = defineMessages({
  "command.reboot": ["重启", "Reboot"],
  "command.rebootTitle": [
    "重启 {name}？业务中断约 90 秒",
    "Reboot {name}? Traffic stops for about 90 s",
  ],
  "command.password": ["登录密码", "Your login password"],
  "command.rebooted": ["重启命令已送达", "The device restarts"],
  "command.diagnose": ["诊断", "Diagnose"],
  "command.diagnoseOf": ["从 {name} 诊断", "Test from {name}"],
  "command.run": ["开始", "Run"],
  "command.running": ["设备正在测试，最多 45 秒", "The device is testing, up to 45 s"],
  "command.reached": ["可达", "Reached"],
  "command.unreached": ["不可达", "Not reached"],
  "command.delay": ["时延 ms", "RTT ms"],
  "command.loss": ["丢包 %", "Loss %"],
  "command.neighbors": ["邻居", "Neighbours"],
  "dial.targetHelp": ["域名或地址；HTTP 为网址", "A name or address; of HTTP a URL"],
});
