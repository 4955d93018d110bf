vcl 4.1;

# Varnish in front of oncebin, for the release in Debian 12 (7.1) and later, without further modules.
#
# Change three things: where oncebin is, who may purge, and the token. The same token goes into the purge template
# (docs/cdn.md). What is cached, and for how long, is oncebin's decision alone: it says so in CDN-Cache-Control.

import std;

backend oncebin {
    .host = "127.0.0.1";
    .port = "3000";
    .connect_timeout = 1s;
    # A save may take as long as its deadline and its size allow.
    .first_byte_timeout = 120s;
    .between_bytes_timeout = 60s;
}

# The servers of oncebin, whose relay purges. Behind something that ends TLS, every client has its address.
acl purgers {
    "127.0.0.1";
    "::1";
}

sub check_token {
    if (req.http.X-Purge-Token != "change-me") {
        return (synth(403, "Not allowed"));
    }
}

sub vcl_recv {
    # Varnish writes X-Forwarded-For; the other header of that kind would be the client's own word.
    unset req.http.Forwarded;
    if (req.method == "PURGE") {
        if (client.ip !~ purgers) {
            return (synth(403, "Not allowed"));
        }
        call check_token;
        # Ids and nothing else, since they become part of an expression.
        if (req.http.Surrogate-Key !~ "^[0-9A-Za-z]{14}( [0-9A-Za-z]{14})*$") {
            return (synth(400, "Surrogate-Key holds ids, separated by one blank"));
        }
        # By tag: every variant of a paste goes, query strings and all.
        if (std.ban("obj.http.Surrogate-Key ~ ^(" + regsuball(req.http.Surrogate-Key, " ", "|") + ")$")) {
            return (synth(200, "Purged"));
        }
        return (synth(500, "Not purged"));
    }
    unset req.http.X-Purge-Token;

    # Saves and deletes are oncebin's alone; so is every method that Varnish does not know.
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }

    # No page of oncebin reads a cookie.
    unset req.http.Cookie;

    # /{id} is a page for those who name HTML, and the text for everybody else. Two answers are two copies, not one
    # for every browser's own Accept. Where HTML is weighed against others, oncebin decides.
    if (req.url ~ "^[^?]*/[0-9A-Za-z]{14}(\?|$)" && req.url !~ "/api/pastes/") {
        std.collect(req.http.Accept);
        if (req.http.Accept !~ "(?i)(text/html|application/xhtml\+xml)") {
            unset req.http.Accept;
        } elseif (req.http.Accept ~ "(?i)(^|,)\s*(text/html|application/xhtml\+xml)\s*(,|$)") {
            set req.http.Accept = "text/html";
        }
    }
    # One range is answered from the copy. Several, or what is none, get the whole, as from oncebin; so does every page.
    if (req.http.Range !~ "^bytes=([0-9]+-[0-9]*|-[0-9]+)$" || req.method == "HEAD" || req.http.Accept == "text/html") {
        unset req.http.Range;
    }

    # Accept-Encoding needs nothing here: Varnish makes it "gzip" or nothing before this runs.

    if (req.http.Authorization) {
        return (pass);
    }
    return (hash);
}

sub vcl_backend_fetch {
    # An answer that may be cached must be there before the relay purges a second time, 90 s after the first: one that
    # was under way during the first purge is cached after it.
    if (bereq.method == "GET" && !bereq.uncacheable) {
        set bereq.first_byte_timeout = 30s;
    }
}

sub vcl_backend_response {
    # Nothing is served past its time: a paste that has expired or was deleted is gone.
    set beresp.grace = 0s;
    set beresp.keep = 0s;

    if (beresp.http.CDN-Cache-Control) {
        if (beresp.status == 200
            && beresp.http.CDN-Cache-Control ~ "(?i)max-age=[0-9]+"
            && beresp.http.CDN-Cache-Control !~ "(?i)(no-store|no-cache|private)") {
            set beresp.ttl = std.duration(
                regsub(beresp.http.CDN-Cache-Control, "(?i)^.*max-age=([0-9]+).*$", "\1s"), 0s);
        } else {
            set beresp.ttl = 0s;
        }
    } elseif (!beresp.http.Cache-Control
        || beresp.http.Cache-Control ~ "(?i)(no-store|no-cache|private)") {
        set beresp.ttl = 0s;
    }
    # What is left without CDN-Cache-Control are the client's own files, which Cache-Control lets anybody keep.

    if (beresp.ttl <= 0s || beresp.http.Set-Cookie) {
        set beresp.uncacheable = true;
        set beresp.ttl = 60s;
    } elseif (beresp.http.Content-Type ~ "^text/html") {
        # Pages only: the text itself is never content-encoded.
        set beresp.do_gzip = true;
    }
    return (deliver);
}

sub vcl_deliver {
    # Everything oncebin sent stays, tags too: a cache before this one needs them as well.
    if (obj.uncacheable) {
        set resp.http.X-Cache = "pass";
    } elseif (obj.hits > 0) {
        set resp.http.X-Cache = "hit";
    } else {
        set resp.http.X-Cache = "miss";
    }
}

sub vcl_synth {
    set resp.http.Content-Type = "text/plain; charset=utf-8";
    set resp.http.Cache-Control = "no-store";
    set resp.body = resp.reason + {"
"};
    return (deliver);
}

# No oncebin could be asked: never "not found", and never kept.
sub vcl_backend_error {
    set beresp.status = 503;
    set beresp.http.Content-Type = "text/plain; charset=utf-8";
    set beresp.http.Cache-Control = "no-store";
    set beresp.http.Retry-After = "1";
    set beresp.body = {"unavailable: This passes: try again in a moment. A save that is sent again with its own key is saved once.
"};
    set beresp.uncacheable = true;
    set beresp.ttl = 0s;
    return (deliver);
}
