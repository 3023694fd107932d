package io.persist.shard.bench.place;

import java.util.regex.Pattern;

/** URIs as they may be shown: a password is nobody's business. */
public final class Uris {

    private static final Pattern USER = Pattern.compile("(://[^:/?#@]*):.*@", Pattern.DOTALL);
    private static final Pattern SECRET = Pattern.compile("(?i)([?&][^=&]*(?:password|secret|token)[^=&]*)=[^&]*");

    private Uris() {}

    /** {@code uri}, or any argument of a program, without what is secret in it. */
    public static String shown(String uri) {
        String withoutUser = USER.matcher(uri).replaceAll("$1:***@");
        return SECRET.matcher(withoutUser).replaceAll("$1=***");
    }
}
