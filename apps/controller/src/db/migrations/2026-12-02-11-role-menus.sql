-- A role gives entries of the menu that have no permission code (role management, logs, records, messages, the lists of
-- devices): they stand among its permissions by their path. Until now everybody had them: every role keeps them, so that
-- its users find what they had; who manages roles takes away what a role should not give.
insert into weft.role_permission (role_id, enterprise_id, permission)
select r.id, r.enterprise_id, entry.path
from weft.role r
cross join unnest(array[
  '/business-system/circuitmanage',
  '/business-system/cug',
  '/business-system/overlay/linkManage',
  '/business-system/overlay/space',
  '/business-system/overlay/trafficClass',
  '/business-system/routernotice',
  '/business-system/saasquickly',
  '/business-system/templatemanage',
  '/business-system/underlay/segmentRoute',
  '/business-system/vbrNode/vbrNode',
  '/dashboard/workplace',
  '/dealmanage/dealrecord',
  '/dealmanage/rechargerecord',
  '/devopsmonitor/alarm',
  '/devopsmonitor/linkMonitor',
  '/devopsmonitor/logs/cpe',
  '/devopsmonitor/logs/pop',
  '/devopsmonitor/topology',
  '/personalcenter/messageremanage',
  '/personalcenter/paramconfig',
  '/sdwan-system/cpe',
  '/sdwan-system/cpe/dialTask',
  '/sdwan-system/enterprisemanage',
  '/sdwan-system/enterprisemanage/companyAudit',
  '/sdwan-system/enterprisemanage/enterpriseInfo',
  '/sdwan-system/mobileTerminal/account',
  '/sdwan-system/pop',
  '/system/blacklist',
  '/system/configList',
  '/system/recordmanage/loginRecord',
  '/system/recordmanage/operaRecord',
  '/system/rolemanage'
]) as entry (path)
on conflict do nothing;
