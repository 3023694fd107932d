package io.persist.file.disk;

import java.util.regex.Pattern;

/** A path or a name as a shell takes it, so that a command in a message can be copied and run. */
public final class ShellWord {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._+:@-]+");

    private ShellWord() {}

    /** Returns {@code text}, quoted if a shell would take it for more than one word or for something else. */
    public static String of(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
