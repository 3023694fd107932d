package io.persist.shard.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemBlobTest extends BlobContract {

    private final String place = "mem://" + UUID.randomUUID();

    @Override
    protected Blob open() {
        return Locations.blob(place);
    }

    @Override
    protected boolean survives() {
        return false;
    }

    /** Two names that differ behind it would be one place, and a name without slashes a place of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"mem://run#1", "mem://run?1", "mem:run"})
    void shouldRefuseAUriThatHasMoreThanAName(String uri) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Locations.blob(uri))
                .withMessage("uri=" + uri
                        + ": mem:// or mem://name, with nothing else; in a name write %23 for # and %3F for ?");
        assertThatIllegalArgumentException().isThrownBy(() -> Locations.consensus(uri));
    }

    @Test
    void shouldTellNamesApart() {
        try (Blob first = Locations.blob(place + "%231");
                Blob second = Locations.blob(place + "%232")) {
            first.set("key", new byte[1]);
            assertThat(second.get("key")).isNull();
        }
    }
}
