package io.persist.bench.device.access;

import io.persist.bench.device.engine.Access;
import io.persist.bench.device.engine.Request;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Does each operation where it begins. */
abstract class OneByOne implements Access {

    private @Nullable Request ended;

    @Override
    public final void begin(Request request) throws IOException {
        run(request);
        ended = request;
    }

    abstract void run(Request request) throws IOException;

    @Override
    public final Request await() {
        Request last = ended;
        if (last == null) {
            throw new IllegalStateException("nothing was begun");
        }
        ended = null;
        return last;
    }
}
