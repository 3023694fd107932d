package io.persist.shard.model;

import io.persist.shard.bytes.Utf8;
import java.util.UUID;

/**
 * Names one append of one writer, so that its repetition after an unknown outcome is not a second one. The shard keeps
 * the last token of each writer.
 *
 * @param text of 1 to 100 characters, without a lone surrogate, and of no other append
 */
public record AppendToken(String text) {

    /** Checks that there is one. */
    public AppendToken {
        if (text.isEmpty() || text.length() > 100) {
            throw new IllegalArgumentException("text=" + text + ": 1 to 100 characters");
        }
        Utf8.check(text);
    }

    /** One of its own. */
    public static AppendToken random() {
        return new AppendToken(UUID.randomUUID().toString());
    }
}
