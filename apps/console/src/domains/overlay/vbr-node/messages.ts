import { defineMessages } from "@weft/contract/kernel/message.ts";

export const vbrNodeMessages = defineMessages({
  "vbrNode.title": ["跨云组网", "Cross-cloud networking"],
  "vbrNode.add": ["新增云节点", "Add cloud node"],
  "vbrNode.editOf": ["编辑 {name}", "Edit {name}"],
  "vbrNode.search": ["名称", "Name"],
  "vbrNode.empty": [
    "还没有云节点。选择云和 POP，填写专线的 VLAN 与两端地址，提交审核",
    "No cloud nodes yet. Select cloud and POP, enter VLAN and both addresses of the line, and submit it",
  ],
  "vbrNode.noPop": ["缺少查看 POP 的权限", "You do not have permission to see POPs"],
  "vbrNode.again": ["保存后等待审核", "After saving, it waits for review"],
  "vbrNode.vlanHelp": ["0 或空为不打标签", "0 or empty: untagged"],
  "vbrNode.untagged": ["不打标签", "Untagged"],
  "vbrNode.audit": ["审核", "Audit"],
  "vbrNode.auditOf": ["审核 {name}", "Audit {name}"],
  "vbrNode.reviewed": [
    "已审核；编辑后可再次审核",
    "It has been reviewed; an edit submits it for review again",
  ],
  "vbrNode.verdict": ["结论", "Verdict"],
  "vbrNode.pass": ["通过", "Approve"],
  "vbrNode.refuse": ["驳回", "Reject"],
  "vbrNode.comment": ["审核意见", "Review comment"],
  "vbrNode.removeBody": [
    "云节点和它的全部表项一并删除，不能恢复。",
    "The node and all rows of its table are deleted permanently.",
  ],
  "vbrNode.table": ["表项", "Table"],
  "vbrNode.tableRows": ["表项数", "Table rows"],
  "table.title": ["{name} 的 VBR 表", "VBR table of {name}"],
  "table.back": ["返回云节点", "Back to cloud nodes"],
  "table.add": ["新增表项", "Add row"],
  "table.network": ["目的网段", "Network"],
  "table.empty": [
    "还没有表项。添加云内网段和去往它的下一跳",
    "No rows yet. Add networks of the cloud and the next hop to them",
  ],
  "table.removeBody": [
    "该网段不再由这个云节点到达。",
    "The network is no longer reachable through this node.",
  ],
});
