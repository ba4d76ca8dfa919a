-- What operators are told of `attention` by e-mail or by a webhook, where the settings name one.

-- One row for each channel. The process that takes a look compares what there is now with what the channel was told: a channel that was
-- dead for hours gets one message with what is left, and not all that it missed.
create table alert_channels (
  channel       text primary key check (channel in ('email', 'webhook')),
  -- A process that was away for so long that another one took the next look comes too late with its result.
  look_number   bigint not null default 0,
  next_look_at  timestamptz not null default now(),
  -- Since when messages are refused, and how many were; null: the last one was delivered.
  failing_since timestamptz,
  failure_count integer not null default 0 check (failure_count >= 0),
  check ((failing_since is null) = (failure_count = 0))
);

-- What a channel was told. `finding` is its entry, its book and its subject.
create table alert_findings (
  channel    text not null references alert_channels (channel),
  finding    text not null check (char_length(finding) between 1 and 512),
  since      timestamptz not null,
  -- The last look that found it.
  seen_at    timestamptz not null,
  told_at    timestamptz not null,
  told_count integer not null check (told_count >= 0),
  -- The channel was told that it is gone; null: it is there as far as the channel knows.
  gone_at    timestamptz,
  primary key (channel, finding)
);
create index alert_findings_there on alert_findings (channel) where gone_at is null;
