-- A farm lies in one bucket. Unless the planner knows, it takes every farm of a large database for a few rows and reads a whole farm
-- where a key would do.
CREATE STATISTICS farm_record_tenancy (dependencies) ON bucket, farm_id FROM farm_record;
CREATE STATISTICS head_line_tenancy (dependencies) ON bucket, farm_id FROM head_line;
CREATE STATISTICS monthly_flow_tenancy (dependencies) ON bucket, farm_id FROM monthly_flow;
CREATE STATISTICS class_flow_tenancy (dependencies) ON bucket, farm_id FROM class_flow;
CREATE STATISTICS head_balance_tenancy (dependencies) ON bucket, farm_id FROM head_balance;
