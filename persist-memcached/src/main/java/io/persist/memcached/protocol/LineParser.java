package io.persist.memcached.protocol;

import io.persist.memcached.protocol.Request.Options;
import java.util.List;

/** What a line asks for. Answers to bad ones are those of memcached 1.6. */
final class LineParser {

    static final String ERROR = "ERROR";
    static final String BAD_FORMAT = "CLIENT_ERROR bad command line format";
    private static final String BAD_TIME = "CLIENT_ERROR invalid exptime argument";
    private static final String BAD_DELTA = "CLIENT_ERROR invalid numeric delta argument";
    private static final String NO_REPLY = "noreply";
    private static final long MAX_FLAGS = 0xFFFF_FFFFL;
    private static final int LENGTH = 4; // the word of a storage command that says how much data follows

    private LineParser() {}

    static Request parse(Line line) {
        Verb verb = line.size() == 0 ? null : Verb.named(line.text(0));
        if (verb == null) {
            return Request.bad(ERROR);
        }
        return switch (verb.form()) {
            case KEYS -> retrieval(verb, line, 1, 0);
            case TIME_KEYS -> {
                if (line.size() < 3) {
                    yield Request.bad(ERROR);
                }
                yield line.isSigned(1) ? retrieval(verb, line, 2, line.signed(1)) : Request.bad(BAD_TIME);
            }
            case DATA -> storage(verb, line);
            case DELETE -> delete(line);
            case KEY_NUMBER -> keyed(verb, line);
            case KEY_TIME -> keyed(verb, line);
            case TIME -> flushAll(line);
            case LEVEL -> verbosity(line);
            case WORD -> Request.word(verb, line.size() > 1 ? line.text(1) : "");
        };
    }

    /** How many bytes of data follow this line, -1 if it does not say so: of a bad line they are not a command. */
    static long dataLength(Line line) {
        Verb verb = line.size() == 0 ? null : Verb.named(line.text(0));
        boolean says = verb != null
                && verb.form() == Verb.Form.DATA
                && line.size() > LENGTH
                && line.isSigned(LENGTH)
                && line.signed(LENGTH) >= 0;
        return says ? line.signed(LENGTH) : -1;
    }

    private static Request retrieval(Verb verb, Line line, int firstKey, long exptime) {
        if (line.size() <= firstKey) {
            return Request.bad(ERROR);
        }
        for (int i = firstKey; i < line.size(); i++) {
            if (!line.isKey(i)) {
                return Request.bad(BAD_FORMAT);
            }
        }
        return Request.plain(verb, line.from(firstKey), exptime, 0, Options.REPLY);
    }

    private static Request storage(Verb verb, Line line) {
        boolean isCas = verb == Verb.CAS;
        int least = isCas ? 6 : 5;
        if (line.size() < least || line.size() > least + 1) {
            return Request.bad(ERROR);
        }
        boolean isWell = line.isKey(1)
                && line.isSigned(2)
                && line.signed(2) >= 0
                && line.signed(2) <= MAX_FLAGS
                && line.isSigned(3)
                && dataLength(line) >= 0
                && (!isCas || line.isUnsigned(5));
        if (!isWell) {
            return Request.bad(BAD_FORMAT);
        }
        return new Request(
                verb,
                List.of(line.bytes(1)),
                (int) line.signed(2),
                line.signed(3),
                isCas ? line.unsigned(5) : 0,
                new byte[0],
                "",
                options(line, least));
    }

    private static Options options(Line line, int index) {
        return line.size() > index && line.isLast(NO_REPLY) ? Options.NO_REPLY : Options.REPLY;
    }

    /** Old clients send a time behind the key, which has to be 0. */
    private static Request delete(Line line) {
        if (line.size() < 2 || line.size() > 4) {
            return Request.bad(ERROR);
        }
        if (!line.isKey(1)) {
            return Request.bad(BAD_FORMAT);
        }
        Options options = options(line, 2);
        int others = line.size() - 2 - (options == Options.NO_REPLY ? 1 : 0);
        if (others > 1 || others == 1 && !line.text(2).equals("0")) {
            return Request.bad(BAD_FORMAT + ".  Usage: delete <key> [noreply]");
        }
        return Request.plain(Verb.DELETE, List.of(line.bytes(1)), 0, 0, options);
    }

    private static Request keyed(Verb verb, Line line) {
        if (line.size() < 3 || line.size() > 4) {
            return Request.bad(ERROR);
        }
        if (!line.isKey(1)) {
            return Request.bad(BAD_FORMAT);
        }
        List<byte[]> key = List.of(line.bytes(1));
        if (verb == Verb.TOUCH) {
            return line.isSigned(2)
                    ? Request.plain(verb, key, line.signed(2), 0, options(line, 3))
                    : Request.bad(BAD_TIME);
        }
        return line.isUnsigned(2)
                ? Request.plain(verb, key, 0, line.unsigned(2), options(line, 3))
                : Request.bad(BAD_DELTA);
    }

    private static Request flushAll(Line line) {
        if (line.size() > 3) {
            return Request.bad(ERROR);
        }
        Options options = options(line, 1);
        boolean hasTime = line.size() - (options == Options.NO_REPLY ? 1 : 0) > 1;
        if (hasTime && !line.isSigned(1)) {
            return Request.bad(BAD_TIME);
        }
        return Request.plain(Verb.FLUSH_ALL, List.of(), hasTime ? line.signed(1) : 0, 0, options);
    }

    private static Request verbosity(Line line) {
        if (line.size() < 2) {
            return Request.bad(ERROR);
        }
        Options options = options(line, 1);
        boolean hasLevel = line.size() - (options == Options.NO_REPLY ? 1 : 0) > 1;
        if (hasLevel && !line.isUnsigned(1)) {
            return Request.bad(BAD_FORMAT);
        }
        return Request.plain(Verb.VERBOSITY, List.of(), 0, 0, options);
    }
}
