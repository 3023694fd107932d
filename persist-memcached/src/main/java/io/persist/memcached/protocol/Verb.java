package io.persist.memcached.protocol;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A command. */
public enum Verb {
    GET(Form.KEYS),
    GETS(Form.KEYS),
    GAT(Form.TIME_KEYS),
    GATS(Form.TIME_KEYS),
    SET(Form.DATA),
    ADD(Form.DATA),
    REPLACE(Form.DATA),
    APPEND(Form.DATA),
    PREPEND(Form.DATA),
    CAS(Form.DATA),
    DELETE(Form.DELETE),
    INCR(Form.KEY_NUMBER),
    DECR(Form.KEY_NUMBER),
    TOUCH(Form.KEY_TIME),
    FLUSH_ALL(Form.TIME),
    VERBOSITY(Form.LEVEL),
    STATS(Form.WORD),
    VERSION(Form.WORD),
    QUIT(Form.WORD),
    /** A line that is no command; its answer is the request's error. */
    BAD(Form.WORD);

    /** What follows the name of the command. */
    enum Form {
        KEYS,
        TIME_KEYS,
        DATA,
        DELETE,
        KEY_NUMBER,
        KEY_TIME,
        TIME,
        LEVEL,
        WORD
    }

    private static final Map<String, Verb> BY_NAME = Arrays.stream(values())
            .filter(verb -> verb != BAD)
            .collect(Collectors.toUnmodifiableMap(verb -> verb.name().toLowerCase(Locale.ROOT), Function.identity()));

    private final Form form;

    Verb(Form form) {
        this.form = form;
    }

    Form form() {
        return form;
    }

    static @Nullable Verb named(String name) {
        return BY_NAME.get(name);
    }
}
