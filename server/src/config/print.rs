//! `oncebin config`: the settings in force, one a line. Database URLs are written by [`super::ShardUrl`], which masks.

use super::Settings;
use app::wire::expiry::human;
use std::fmt;

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "none".to_owned());
        writeln!(f, "listen            {}", self.listen)?;
        writeln!(f, "admin-listen      {}", self.admin_listen)?;
        let base_url = self.base_url.as_ref().map(ToString::to_string);
        writeln!(
            f,
            "base-url          {}",
            base_url.unwrap_or_else(|| "http:// and the listen address".into())
        )?;
        for (shard, url) in self.shards.urls.iter().enumerate() {
            let slots = self.shards.map.slots(shard).len();
            writeln!(f, "shard {shard:<11} {url} ({slots} slots)")?;
        }
        writeln!(f, "objects           {}", self.objects)?;
        writeln!(f, "max-paste-bytes   {}", self.policy.paste_bytes_max)?;
        writeln!(
            f,
            "default-expiry    {}",
            human(self.policy.default_expiry.as_secs())
        )?;
        writeln!(
            f,
            "max-expiry        {}",
            human(self.policy.max_expiry.as_secs())
        )?;
        let cdn_purge = self.cdn_purge.as_ref().map(ToString::to_string);
        writeln!(f, "cdn-purge         {}", or_none(cdn_purge))?;
        writeln!(f, "age-floor         {}", human(self.age_floor.as_secs()))?;
        let brake = if self.reaper_brake { "on" } else { "off" };
        writeln!(f, "reaper-brake      {brake}")?;
        writeln!(f, "drain             {}", human(self.drain.as_secs()))?;
        let proxies: Vec<_> = self
            .trusted_proxies
            .iter()
            .map(ToString::to_string)
            .collect();
        writeln!(
            f,
            "trusted-proxies   {}",
            or_none((!proxies.is_empty()).then(|| proxies.join(",")))
        )?;
        for (name, rate) in [
            ("create-rate", self.create_rate),
            ("miss-rate", self.miss_rate),
        ] {
            let rate = rate.map(|rate| format!("{rate} a minute and address"));
            writeln!(f, "{name:<17} {}", rate.unwrap_or_else(|| "off".into()))?;
        }
        writeln!(
            f,
            "workers           {}",
            if self.workers { "on" } else { "off" }
        )?;
        writeln!(
            f,
            "report-contact    {}",
            or_none(self.report_contact.clone())
        )?;
        write!(f, "log               {}", self.log)
    }
}
