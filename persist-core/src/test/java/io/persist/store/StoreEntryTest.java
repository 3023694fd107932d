package io.persist.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoreEntryTest {

    private static final byte[] KEY = {'k'};
    private static final byte[] VALUE = {1, 2};

    @Test
    void shouldBeEqualToAnEntryWithTheSameBytes() {
        StoreEntry entry = new StoreEntry(KEY, VALUE);
        assertThat(entry)
                .isEqualTo(new StoreEntry(KEY.clone(), VALUE.clone()))
                .hasSameHashCodeAs(new StoreEntry(KEY.clone(), VALUE.clone()))
                .isNotEqualTo(new StoreEntry(KEY, KEY))
                .isNotEqualTo(new StoreEntry(VALUE, VALUE))
                .isNotEqualTo(KEY);
    }

    @Test
    void shouldSayItsKeyAndItsValue() {
        assertThat(new StoreEntry(KEY, VALUE)).hasToString("StoreEntry[key=6b, value=0102]");
        assertThat(new StoreEntry(KEY, new byte[0])).hasToString("StoreEntry[key=6b, value=]");
        assertThat(new StoreEntry(KEY, new byte[1000]))
                .hasToString("StoreEntry[key=6b, value=" + "00".repeat(32) + "... of 1000 bytes]");
    }
}
