import { defineMessages } from "@weft/contract/kernel/message.ts";
import { useTexts } from "#client/texts.ts";

export const accelerationMessages = defineMessages({
  "accel.tabs": ["加速配置", "Acceleration"],
  "accel.profiles": ["加速方案", "Profiles"],
  "accel.member.search": ["名称", "Name"],
  "accel.popAuto": ["链路最优的 POP", "POP with the best link"],
  "accel.popHelp": [
    "流量从这个 POP 出网；留空时每台 CPE 从链路最优的 POP 出网。POP 不可达时，新建流量从本地出网",
    "Where the traffic leaves; empty: at the POP with each CPE's best link. While the POP is not reachable, new flows leave at the site",
  ],
  "accel.more": ["{first} 等 {count} 项", "{first}, {count} in total"],
  // groups
  "group.domain": ["域名加速组", "Domain acceleration groups"],
  "group.dpi": ["DPI 加速组", "DPI acceleration groups"],
  "group.ip": ["IP 加速组", "IP acceleration groups"],
  "group.app": ["应用加速组", "Application acceleration groups"],
  "group.tab.domain": ["域名组", "Domains"],
  "group.tab.dpi": ["DPI 组", "Protocols"],
  "group.tab.ip": ["IP 组", "Addresses"],
  "group.tab.app": ["应用组", "Applications"],
  "group.add": ["新增加速组", "Add group"],
  "group.help.domain": [
    "每行一个域名，包含其下所有域名。站点设备按自己答复的地址加速，须由其解析域名。一个域名只能在一个组里",
    "One name per line, which includes all names below it. A site's device accelerates the addresses that it answers itself. A name can be in one group only",
  ],
  "group.help.dpi": [
    "仅保存：设备不检查报文内容，无法识别协议。一个协议只能在一个组里",
    "Saved only: no device inspects packets to recognise protocols. A protocol can be in one group only",
  ],
  "group.help.ip": [
    "每行一个地址、网段或地址范围，例如 203.0.113.0/24；组与组之间不能重叠。私网地址不加速",
    "One address, network or range per line, such as 203.0.113.0/24; groups must not overlap. Private addresses are not accelerated",
  ],
  "group.help.app": [
    "按应用目录中的域名加速，须由站点设备解析域名。一个应用只能在一个组里",
    "Accelerated by the names that the catalogue has of it, which a site's device has to answer. An application can be in one group only",
  ],
  "group.empty.domain": [
    "还没有域名加速组。把要加速的域名归到一组，并选择出口 POP",
    "No domain groups yet. Group the names to accelerate and select the POP where their traffic leaves",
  ],
  "group.empty.dpi": [
    "还没有 DPI 加速组。把要加速的协议归到一组，并选择出口 POP",
    "No protocol groups yet. Group the protocols to accelerate and select the POP where their traffic leaves",
  ],
  "group.empty.ip": [
    "还没有 IP 加速组。把要加速的网段归到一组，并选择出口 POP",
    "No address groups yet. Group the networks to accelerate and select the POP where their traffic leaves",
  ],
  "group.empty.app": [
    "还没有应用加速组。把要加速的应用归到一组，并选择出口 POP",
    "No application groups yet. Group the applications to accelerate and select the POP where their traffic leaves",
  ],
  "group.removeBody": [
    "组内成员不再属于任何加速组。",
    "Its members are no longer in an acceleration group.",
  ],
  // profiles and their definitions
  "speed.title": ["应用加速", "Application acceleration"],
  "speed.add": ["新增加速方案", "Add profile"],
  "speed.empty": [
    "还没有加速方案。新增一个，再添加或导入它的定义",
    "No profiles yet. Add one, then add or import its definitions",
  ],
  "speed.defines": ["定义", "Definitions"],
  "speed.removeBody": [
    "方案和它的全部定义一并删除，不能恢复。",
    "The profile and all its definitions are deleted permanently.",
  ],
  "define.title": ["{name} 的加速定义", "Definitions of {name}"],
  "define.back": ["返回加速方案", "Back to the profiles"],
  "define.add": ["新增定义", "Add definition"],
  "define.empty": [
    "还没有定义。逐条新增，或从文件导入",
    "No definitions yet. Add them one by one, or import a file",
  ],
  "define.help": [
    "流量从链路最优的 POP 出网；POP 不可达时从本地出网。域名和应用须由站点设备解析域名；协议仅保存",
    "Their traffic leaves at the POP with the best link, and at the site while none is reachable. Names and applications need the site's device as resolver; protocols are saved only",
  ],
  "define.search": ["内容", "Value"],
  "define.removeTitle": ["删除定义 {value}？", "Delete {value}?"],
  "define.removeBody": [
    "所选目的不再属于这个加速方案。",
    "The destination is no longer part of the profile.",
  ],
});

export const useAccelerationTexts = () => useTexts(accelerationMessages);
export type AccelerationTexts = ReturnType<typeof useAccelerationTexts>;
