import { defineMessages } from "@weft/contract/kernel/message.ts";

export const companyAuditMessages = defineMessages({
  "audit.title": ["企业审核", "Company audit"],
  "audit.add": ["提交审核", "Submit documents"],
  "audit.editOf": ["编辑 {name}", "Edit {name}"],
  "audit.search": ["公司名称", "Company name"],
  "audit.company": ["公司名称", "Company"],
  "audit.approve": ["通过", "Approve"],
  "audit.reject": ["驳回", "Reject"],
  "audit.approveTitle": ["通过 {name} 的审核？", "Approve {name}?"],
  "audit.approveBody": [
    "{enterprise} 的公司资料标为已通过。企业修改资料后需要重新审核。",
    "The documents of {enterprise} are marked as approved. If it changes them, they are reviewed again.",
  ],
  "audit.rejectTitle": ["驳回 {name} 的审核？", "Reject {name}?"],
  "audit.rejectBody": [
    "{enterprise} 会看到已驳回，修改后可以再次提交。",
    "{enterprise} sees that the documents were rejected, and may submit them again.",
  ],
  "audit.again": ["保存后重新等待审核", "After saving, it waits for review again"],
  "audit.removeTitle": ["删除 {name} 的审核资料？", "Delete the submission of {name}?"],
  "audit.removeBody": [
    "资料和审核结果一并删除，不能恢复。",
    "The documents and the result are deleted permanently.",
  ],
  "audit.empty": [
    "还没有公司资料。提交营业执照信息，由上级企业审核",
    "No documents yet. Submit the company's registration; the enterprise above reviews it",
  ],
});
