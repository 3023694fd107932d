package io.persist.matrix.fault;

import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A hook that makes one operation fail with EIO, the n-th one of some. A sync that fails leaves its pages clean. */
final class NthOperation implements CrashableStorage.Hook {

    private final Pattern which;
    private final int n;
    private final AtomicInteger count = new AtomicInteger();
    private volatile @Nullable String struck;

    NthOperation(Pattern which, int n) {
        this.which = which;
        this.n = n;
    }

    @Override
    public void beforeOperation(int number, String what) throws IOException {
        if (which.matcher(what).matches() && count.incrementAndGet() == n) {
            struck = what;
            throw new IOException("Input/output error (injected: " + n + " " + what + ")");
        }
    }

    /** What has failed, null if there were not so many operations. */
    @Nullable
    String struck() {
        return struck;
    }
}
