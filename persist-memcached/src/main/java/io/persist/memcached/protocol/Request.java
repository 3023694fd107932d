package io.persist.memcached.protocol;

import java.util.List;

/**
 * One command of a client.
 *
 * @param keys its key or keys; of a bad one, what has become stale
 * @param flags for what is to be stored
 * @param exptime as the client gave it; also the delay of flush_all
 * @param number the delta of incr and decr, or the cas unique
 * @param item for what is to be stored: room for an item's header, then the data; else, or without memory for it, empty
 * @param word what the client asks {@code stats} for, or the answer to a bad line
 * @param options how it is to be answered
 */
public record Request(
        Verb verb, List<byte[]> keys, int flags, long exptime, long number, byte[] item, String word, Options options) {

    /** How a request is to be answered. */
    public enum Options {
        REPLY,
        NO_REPLY,
        /** The answer is the last one: the connection cannot be kept in step. */
        CLOSE
    }

    private static final byte[] NO_ITEM = {};

    static Request plain(Verb verb, List<byte[]> keys, long exptime, long number, Options options) {
        return new Request(verb, keys, 0, exptime, number, NO_ITEM, "", options);
    }

    static Request word(Verb verb, String word) {
        return new Request(verb, List.of(), 0, 0, 0, NO_ITEM, word, Options.REPLY);
    }

    static Request bad(String answer) {
        return word(Verb.BAD, answer);
    }

    static Request fatal(String answer) {
        return new Request(Verb.BAD, List.of(), 0, 0, 0, NO_ITEM, answer, Options.CLOSE);
    }

    /** It cannot be stored; a set takes the present item away all the same, which has become stale. */
    Request tooLarge(String answer) {
        return new Request(Verb.BAD, verb == Verb.SET ? keys : List.of(), 0, 0, 0, NO_ITEM, answer, options);
    }

    /** It is not run; only its options count. */
    Request refused(String answer) {
        return new Request(Verb.BAD, List.of(), 0, 0, 0, NO_ITEM, answer, options);
    }

    Request withItem(byte[] bytes) {
        return new Request(verb, keys, flags, exptime, number, bytes, word, options);
    }

    /** Whether the client wants no answer. */
    public boolean isSilent() {
        return options == Options.NO_REPLY;
    }

    /** Whether there was no memory for what is to be stored. */
    public boolean lacksItem() {
        return item.length == 0;
    }

    /** The only key. */
    public byte[] key() {
        return keys.get(0);
    }
}
