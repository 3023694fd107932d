package io.persist.peers.profile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On which platforms there can be profiles. */
class ProfilerLibraryTest {

    @ParameterizedTest
    @CsvSource({"Linux, amd64", "Linux, aarch64", "Mac OS X, aarch64", "Mac OS X, x86_64"})
    void shouldFindTheLibraryInTheJar(String system, String processor) {
        assertThat(ProfilerLibrary.missing(system, processor)).isEmpty();
    }

    @Test
    void shouldSayWhereThereIsNone() {
        assertThat(ProfilerLibrary.missing("Windows 11", "amd64"))
                .hasValue("async-profiler has no library for Windows 11 on amd64");
        assertThat(ProfilerLibrary.missing("Linux", "s390x"))
                .hasValue("async-profiler has no library for Linux on s390x");
    }
}
