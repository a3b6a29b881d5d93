import { defineMessages } from "@weft/contract/kernel/message.ts";
import { type Translate, useTexts } from "#client/texts.ts";

/** IP and URL groups of enterprises. */
const groupMessages = defineMessages({
  "objectGroup.tabs": ["组的类型", "Kind of group"],
  "objectGroup.tab.ip": ["IP 组", "IP groups"],
  "objectGroup.tab.url": ["URL 组", "URL groups"],
  "objectGroup.add.ip": ["新增 IP 组", "Add IP group"],
  "objectGroup.add.url": ["新增 URL 组", "Add URL group"],
  "objectGroup.edit.ip": ["编辑 IP 组 {name}", "Edit IP group {name}"],
  "objectGroup.edit.url": ["编辑 URL 组 {name}", "Edit URL group {name}"],
  "objectGroup.empty.ip": [
    "还没有 IP 组。把办公网、服务器等网段归为一组，再在模板或设备的策略中建立同名、没有条目的 IP 组来引用",
    "No IP groups yet. Put networks such as those of the offices into one, then refer to it by an IP group of the same name and without entries in a template or device",
  ],
  "objectGroup.empty.url": [
    "还没有 URL 组。把要放行或禁止的网站归为一组，再在模板或设备的策略中建立同名、没有条目的 URL 组来引用",
    "No URL groups yet. Put the sites to allow or deny into one, then refer to it by a URL group of the same name and without entries in a template or device",
  ],
  "objectGroup.nameHelp.ip": [
    "模板和设备中名称相同且没有条目的 IP 组使用这些成员",
    "IP groups of templates and devices with this name and without entries take these members",
  ],
  "objectGroup.nameHelp.url": [
    "模板和设备中名称相同且没有条目的 URL 组使用这些成员",
    "URL groups of templates and devices with this name and without entries take these members",
  ],
  "objectGroup.membersHelp.ip": [
    "每行一个地址、网段或地址范围，IPv4、IPv6 均可，例如 10.1.0.0/16、10.2.1.1-10.2.1.9",
    "One address, network or range per line, IPv4 or IPv6, such as 10.1.0.0/16 or 10.2.1.1-10.2.1.9",
  ],
  "objectGroup.membersHelp.url": [
    "每行一个主机名；*.example.com 为其下所有域名",
    "One host name per line; *.example.com is all names below",
  ],
  "objectGroup.shareHelp": [
    "下级企业的站点也使用该组，除非下级企业有同名的组",
    "Sites of the enterprises below use it as well, unless those have a group of this name",
  ],
  "objectGroup.count": ["条目数", "Entries"],
  "objectGroup.more": ["{first} 等 {count} 项", "{first}, {count} in total"],
  "objectGroup.fromAbove": ["上级企业", "An enterprise above"],
  "objectGroup.readOnly": [
    "由上级企业共享，只能查看",
    "Shared by an enterprise above: you can only view it",
  ],
  "objectGroup.usedBy": ["使用者", "Used by"],
  "objectGroup.notUsed": ["未使用", "Not used"],
  "objectGroup.loading": ["读取中", "Loading"],
  "objectGroup.users": ["{name} 的使用者", "What uses {name}"],
  "objectGroup.nodes": ["{count} 台设备", "{count|device|devices}"],
  "objectGroup.templates": ["{count} 个模板", "{count|template|templates}"],
  "objectGroup.nodesTitle": ["设备", "Devices"],
  "objectGroup.templatesTitle": ["模板", "Templates"],
  "objectGroup.andMore": ["另有 {count} 个未列出", "{count} more are not listed"],
  "objectGroup.usersHelp": [
    "成员变更立即下发到这些设备。模板在各站点使用站点所属企业的组。",
    "An edit of the members is deployed to these devices immediately. At each site a template uses the group of the site's enterprise.",
  ],
  "objectGroup.named": [
    "{names} 等 {count} 台设备",
    "{names} and others, {count} devices in total",
  ],
  "objectGroup.willDeploy": ["保存后立即下发到{nodes}", "Saving deploys to {nodes} immediately"],
  "objectGroup.noneTakes": [
    "没有设备使用这个名称的组：保存不会改变任何设备",
    "No device uses a group of this name: saving changes none",
  ],
  "objectGroup.willLose": [
    "{nodes}不再使用该组，引用它的规则在这些设备上不再生效，除非上级企业共享同名的组",
    "{nodes} will no longer use it: rules that name it no longer act there, unless an enterprise above shares a group of this name",
  ],
  "objectGroup.removeUsed": [
    "{nodes}正在使用其成员。删除后立即下发：除非上级企业共享同名的组，引用它的规则不再生效。",
    "{nodes} take its members. Removing it is deployed immediately: rules that name it no longer act, unless an enterprise above shares a group of this name.",
  ],
  "objectGroup.removeTemplates": [
    "模板 {names} 中的同名组不再有成员。",
    "The groups of this name in templates {names} have no members any more.",
  ],
  "objectGroup.removeUnused": [
    "没有设备或模板使用它，任何设备的配置都不会改变。",
    "No device or template uses it: no device changes.",
  ],
});

export const useGroupTexts = () => useTexts(groupMessages);
export type GroupTexts = Translate<keyof typeof groupMessages>;
