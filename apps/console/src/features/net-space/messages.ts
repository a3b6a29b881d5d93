import { defineMessages } from "@weft/contract/kernel/message.ts";

export const netSpaceMessages = defineMessages({
  "space.title": ["网络空间", "Network spaces"],
  "space.add": ["新增空间", "Add space"],
  "space.editOf": ["编辑网络空间 {name}", "Edit network space {name}"],
  "space.search": ["空间名称", "Space name"],
  "space.edit": ["编辑", "Edit"],
  "space.links": ["链路", "Links"],
  "space.remove": ["移除", "Remove"],
  "space.linksUp": ["链路", "Links up"],
  "space.pops": ["POP", "POPs"],
  "space.cpes": ["CPE", "CPEs"],
  "space.star": ["CPE 经 POP 互通", "CPEs reach each other through the POPs"],
  "space.mesh": [
    "CPE 之间直连，任一端可达即建立；否则经 POP",
    "CPEs link directly where one end is reachable, otherwise through a POP",
  ],
  "space.starPicture": ["星型：CPE 只与 POP 相连", "Hub and spoke: CPEs linked to POPs only"],
  "space.meshPicture": ["全互联：CPE 之间也相连", "Full mesh: CPEs linked to each other too"],
  "space.groupidHelp": [
    "一个空间属于一个企业，与其他空间隔离",
    "A space belongs to one enterprise and is isolated from all others",
  ],
  "space.groupFixed": [
    "已有成员，不能更换企业",
    "It has members; the enterprise can no longer change",
  ],
  "space.pickGroup": ["先选择企业，再选择成员", "Choose the enterprise first, then its members"],
  "space.chosenOf": ["已选 {count}，可选 {free}", "{count} chosen of {free}"],
  "space.all": ["全选", "All"],
  "space.none": ["清空", "None"],
  "space.moreMembers": ["还有 {count} 台，输入名称查找", "{count} more; type a name"],
  "space.takenIn": ["已在“{space}”中", "already in “{space}”"],
  "space.noPops": ["没有可用的 POP", "No POP available"],
  "space.noCpes": ["该企业还没有 CPE", "This enterprise has no CPEs yet"],
  "space.searchMember": ["名称", "Name"],
  "space.planned": [
    "保存后下发到 {pops} 台 POP 和 {cpes} 台 CPE",
    "Saving delivers to {pops} POPs and {cpes} CPEs",
  ],
  "space.saved": ["已保存，正在下发到成员设备", "Saved; delivering to its members"],
  "space.removeTitle": ["移除网络空间 {name}？", "Remove network space {name}?"],
  "space.removeBody": [
    "{cpes} 台 CPE 之间的业务立即中断，{links} 条链路拆除；设备和它们的配置保留。",
    "Traffic between its {cpes} CPEs stops at once and {links} links are taken down; the boxes and their settings stay.",
  ],
  "space.empty": [
    "还没有网络空间。空间把一个企业的 POP 和 CPE 连成一张网：先有 POP、企业和 CPE，再新增空间",
    "No network spaces yet. A space joins the POPs and CPEs of one enterprise into one network: POP, enterprise and CPE come first, then the space",
  ],
  "space.linksEmpty": [
    "没有链路：至少需要一台 POP 和一台有线路的 CPE",
    "No links: it takes a POP and a CPE with a line at least",
  ],
});
