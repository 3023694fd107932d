package io.persist.shard.model;

import java.util.UUID;

/**
 * Names one append of one writer, so that its repetition after an unknown outcome is not a second one. The shard keeps
 * the last token of each writer.
 *
 * @param text not empty, and of no other append
 */
public record AppendToken(String text) {

    /** Checks that there is one. */
    public AppendToken {
        if (text.isEmpty() || text.length() > 100) {
            throw new IllegalArgumentException("text=" + text + ": 1 to 100 characters");
        }
    }

    /** One of its own. */
    public static AppendToken random() {
        return new AppendToken(UUID.randomUUID().toString());
    }
}
