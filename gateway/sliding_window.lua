-- One allowance: the times of the requests that were admitted in the last 60 seconds, oldest first, as a list of
-- integers (microseconds; Redis packs them into about 10 bytes each). The counterpart of gateway.quota.MemoryQuota.
--
-- KEYS[1]  the allowance's key
-- ARGV[1]  requests a window
-- ARGV[2]  '1': count this request if it is admitted; '0': only look
-- ARGV[3]  the time in microseconds, for tests; without it Redis's own, so that all gateways share one clock
--
-- Returns {1 where the request is admitted, how many count now, microseconds until the oldest leaves or, for a refused
-- request, until there is a place again (0: none counts)}.

local WINDOW = 60 * 1000000
local key, limit = KEYS[1], tonumber(ARGV[1])
local now = tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local function at(index)
  return tonumber(redis.call('LINDEX', key, index))
end

local count = redis.call('LLEN', key)

-- A clock that was set back: what seems to lie ahead was admitted by now at the latest. So it counts for a window
-- from now, too long rather than too short, and the list stays sorted.
local written = false
local index = count - 1
while index >= 0 and at(index) > now do
  redis.call('LSET', key, index, now)
  index, written = index - 1, true
end

-- Let go of what has left the window: bisect, then trim once, so that a long list that expires at once does not hold
-- Redis up. A request counts for the whole of its window: 60.0 s after it, it no longer does.
local edge = now - WINDOW
if count > 0 and at(0) <= edge then
  local low, high = 1, 1
  while high < count and at(high) <= edge do
    low, high = high + 1, high * 2
  end
  high = math.min(high, count)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if at(middle) <= edge then
      low = middle + 1
    else
      high = middle
    end
  end
  redis.call('LTRIM', key, low, -1)
  count = count - low
end

local admitted = count < limit
if admitted and ARGV[2] == '1' then
  redis.call('RPUSH', key, now)
  count, written = count + 1, true
end
if count == 0 then
  return {admitted and 1 or 0, 0, 0}
end
if written then
  -- A second more than the window, because keys expire by the millisecond.
  redis.call('PEXPIRE', key, WINDOW / 1000 + 1000)
end
-- Where an allowance was lowered, more than one request must leave before there is a place.
local leaving = (not admitted and limit > 0) and count - limit or 0
return {admitted and 1 or 0, count, at(leaving) + WINDOW - now}
